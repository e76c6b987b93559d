import { Button, FileButton, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import classes from './files.module.css';

/** Lets the user drop a file or choose one. */
export function DropArea({ onFile }: { onFile(file: File | null | undefined): void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={classes['drop']}
      data-over={isOver}
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
    >
      <Stack align="center" gap="sm">
        <IconFileTypeCsv size={36} stroke={1.2} aria-hidden />
        <Text>Drop a CSV file here, or</Text>
        <FileButton onChange={onFile} accept={accepted} inputProps={{ 'aria-label': 'CSV file' }}>
          {(props) => <Button {...props}>Choose file</Button>}
        </FileButton>
        <Text size="sm" c="dimmed">
          The file can be compressed: .csv.gz, or a .zip with one file.
        </Text>
      </Stack>
    </div>
  );
}

const accepted = '.csv,.txt,.tsv,.gz,.zip,text/csv,application/gzip,application/zip';

import { Button, FileButton, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import classes from './files.module.css';

/** Lets the user drop a file or choose one. */
export function DropArea({ onFile }: { onFile(file: File | null | undefined): void }) {
  const t = useMessages();
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
        <Text>{t('upload.drop')}</Text>
        <FileButton onChange={onFile} accept={accepted} inputProps={{ 'aria-label': t('upload.csvFile') }}>
          {(props) => <Button {...props}>{t('upload.choose')}</Button>}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t('upload.compressed')}
        </Text>
      </Stack>
    </div>
  );
}

const accepted = '.csv,.txt,.tsv,.gz,.zip,text/csv,application/gzip,application/zip';

import { Alert, Button, Card, FileButton, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconFileTypeCsv } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type DragEvent, useState } from 'react';
import { usePermission } from '../api/session.tsx';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { readUpload, type Upload } from './read-upload.ts';
import { Preview } from './upload-preview.tsx';
import classes from './catalog.module.css';

type Chosen = { name: string; upload: Upload };

export function UploadPage() {
  const may = usePermission();
  const { store } = useStore();
  const [chosen, setChosen] = useState<Chosen>();
  const [failure, setFailure] = useState<string>();
  const read = async (file: File | null | undefined) => {
    if (!file) return;
    setFailure(undefined);
    try {
      setChosen({ name: file.name, upload: readUpload(file.name, await file.text()) });
    } catch (error) {
      setFailure(`Cannot read ${file.name}: ${(error as Error).message}`);
    }
  };
  return (
    <Page
      title="Upload products"
      about={`Upload a file with products for ${store.name}. You can review it before anything changes.`}
      actions={
        <Button component={Link} to="/catalog" variant="default" leftSection={<IconArrowLeft size={16} />}>
          Catalog
        </Button>
      }
    >
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      {!may('updateCatalog') && (
        <NotAllowed>You have read-only access. Only managers and owners can change the catalog.</NotAllowed>
      )}
      {may('updateCatalog') && chosen && (
        <Preview key={chosen.name} {...chosen} onCancel={() => setChosen(undefined)} />
      )}
      {may('updateCatalog') && !chosen && (
        <>
          <DropArea onFile={(file) => void read(file)} />
          <Forms />
        </>
      )}
    </Page>
  );
}

function DropArea({ onFile }: { onFile(file: File | null | undefined): void }) {
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
        <Text>Drop a CSV or JSON file here, or</Text>
        <FileButton
          onChange={onFile}
          accept=".csv,.json,text/csv,application/json"
          inputProps={{ 'aria-label': 'File with products' }}
        >
          {(props) => <Button {...props}>Choose file</Button>}
        </FileButton>
      </Stack>
    </div>
  );
}

function Forms() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Card>
        <Title order={2}>Update products</Title>
        <Text size="sm" c="dimmed" mt={4}>
          The file needs a <code>sku</code> column and at least one of <code>price</code>, <code>quantity</code>,{' '}
          <code>active</code> (1 or 0), <code>max_sales_quantity</code> and <code>barcode</code>. You can edit an
          exported file and upload it again. Empty cells leave values unchanged.
        </Text>
      </Card>
      <Card>
        <Title order={2}>Create products</Title>
        <Text size="sm" c="dimmed" mt={4}>
          Add a <code>title</code> column, and a <code>price</code> in every row. Separate multiple{' '}
          <code>categories</code> or <code>images</code> with semicolons.
        </Text>
      </Card>
    </SimpleGrid>
  );
}

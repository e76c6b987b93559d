import { Alert, Button, Card, FileInput, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Translate } from '../messages/catalogue.ts';
import { useMessages } from '../messages/use-messages.ts';
import { usePlatformChange } from './api.ts';
import { readCategories } from './categories-file.ts';

/** Replaces the category tree of a chain with that in a file. */
export function Categories({ chainId }: { chainId: string }) {
  const t = useMessages();
  const [file, setFile] = useState<File | null>(null);
  const [message, setMessage] = useState<{ text: string; isError: boolean }>();
  const put = usePlatformChange('platformPutCategories', ['platformGetChecklist'], (error) =>
    setMessage({ text: describe(t, error, file), isError: true }),
  );
  const upload = async () => {
    const body = file && readCategories(await file.text(), 'en_AE');
    if (!body) return setMessage({ text: t('console.categoriesUnreadable'), isError: true });
    const onSuccess = () =>
      setMessage({ text: t('console.categoriesSaved', { count: body.categories.length }), isError: false });
    put.mutate({ params: { chain_id: chainId }, body }, { onSuccess });
  };
  return (
    <Card>
      <Stack>
        <Title order={2}>{t('console.onboard.categories')}</Title>
        <Text size="sm" c="dimmed">
          {t('console.categoriesHelp')}
        </Text>
        {message && (
          <Alert color={message.isError ? 'red' : 'teal'} role={message.isError ? 'alert' : 'status'}>
            {message.text}
          </Alert>
        )}
        <Group align="flex-end">
          <FileInput
            label={t('console.categoriesFile')}
            placeholder={t('console.chooseFile')}
            accept=".json,.csv"
            value={file}
            onChange={setFile}
            clearable
            w={{ base: '100%', xs: 260 }}
          />
          <Button onClick={() => void upload()} loading={put.isPending} disabled={!file}>
            {t('console.upload')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

/** Errors in a CSV file have the number of the row instead of the place in the request. */
function describe(t: Translate, error: Error, file: File | null): string {
  const { pointer = '', message = '' } = (error instanceof ApiError && error.problem.errors?.[0]) || {};
  const [, index, field] = /^\/categories\/(\d+)\/([a-z_]+)/.exec(pointer) ?? [];
  if (!file?.name.toLowerCase().endsWith('.csv') || index === undefined || field === undefined) return error.message;
  return t('console.categoryRow', { row: Number(index) + firstRow, error: `${field} ${message}` });
}

/** The first row of the file is the header. */
const firstRow = 2;

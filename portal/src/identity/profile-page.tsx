import { Card, List, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import { useMay } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';

const profiles = [
  {
    value: 'strict',
    title: 'Strict',
    about: 'Exactly the specification. Choose it for new integrations: mistakes show at once.',
    rules: [
      'Required fields are required, and every item of an order must be named when it is fulfilled.',
      'An update of one product is applied at once and answered with the product.',
      'A date range over 60 days is refused.',
    ],
  },
  {
    value: 'tolerant',
    title: 'Tolerant',
    about: 'Also accepts what live picking devices really send. Choose it for devices you cannot change.',
    rules: [
      'A fulfilment without items, item statuses or prices takes them from the order.',
      'A status ACCEPTED is acknowledged and changes nothing.',
      'An update of one product becomes a job, as larger ones do.',
      'A date range over 60 days is cut to the last 60.',
    ],
  },
] as const;

type Profile = (typeof profiles)[number]['value'];

export function ProfilePage() {
  const may = useMay();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings', 'getSession']);
  const choose = (profile: Profile) =>
    confirm({
      title: `Switch to ${profile}?`,
      text: 'It holds for every request of the chain from this moment on.',
      action: 'Switch',
      isHarmless: true,
      onConfirm: () =>
        update.mutate({ body: { profile } }, { onSuccess: () => notifyDone(`The chain is ${profile} now.`) }),
    });
  return (
    <Page
      title="API profile"
      about="How literally the API takes the requests of your chain. It can be changed at any time."
    >
      {!may('updateSettings') && <NotAllowed>Only owners of the chain can change it.</NotAllowed>}
      {data ? (
        <Radio.Group
          value={data.profile}
          onChange={(value) => choose(value)}
          readOnly={!may('updateSettings')}
          aria-label="Profile"
        >
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {profiles.map((profile) => (
              <Option
                key={profile.value}
                {...profile}
                isChosen={data.profile === profile.value}
                isClosed={!may('updateSettings')}
              />
            ))}
          </SimpleGrid>
        </Radio.Group>
      ) : (
        <Skeleton height={220} />
      )}
    </Page>
  );
}

type OptionProps = (typeof profiles)[number] & { isChosen: boolean; isClosed: boolean };

function Option({ value, title, about, rules, isChosen, isClosed }: OptionProps) {
  return (
    <Card padding="lg" style={{ borderColor: isChosen ? 'var(--mantine-primary-color-filled)' : undefined }}>
      <Stack gap="sm">
        <Radio value={value} label={<Text fw={600}>{title}</Text>} disabled={isClosed && !isChosen} />
        <Text size="sm">{about}</Text>
        <List size="sm" spacing={4} c="dimmed">
          {rules.map((rule) => (
            <List.Item key={rule}>{rule}</List.Item>
          ))}
        </List>
      </Stack>
    </Card>
  );
}

import { profiles } from '@aisle/contract/identity';
import { Card, List, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';

type Profile = (typeof profiles)[number];

const descriptions: Record<Profile, { title: string; about: string; rules: string[] }> = {
  strict: {
    title: 'Strict',
    about: 'Follows the specification exactly. Recommended for new integrations, because mistakes surface immediately.',
    rules: [
      'Required fields must be present, and a fulfilment must list every item in the order.',
      'An update to a single product is applied immediately, and the response contains the product.',
      'Date ranges longer than 60 days are rejected.',
    ],
  },
  tolerant: {
    title: 'Tolerant',
    about: 'Also accepts nonstandard requests from existing picking devices. Use it for devices you cannot change.',
    rules: [
      'If a fulfilment omits items, item statuses or prices, they are taken from the order.',
      'The status ACCEPTED is acknowledged but has no effect.',
      'An update to a single product runs as a job, like larger updates.',
      'Date ranges longer than 60 days are shortened to the last 60 days.',
    ],
  },
};

export function ProfilePage() {
  const may = usePermission();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings', 'getSession']);
  const choose = (profile: Profile) =>
    confirm({
      title: `Switch to ${profile}?`,
      text: "The change applies immediately to all of your chain's requests.",
      action: 'Switch',
      isHarmless: true,
      onConfirm: () => update.mutate({ body: { profile } }, { onSuccess: () => notifyDone(`Switched to ${profile}.`) }),
    });
  return (
    <Page
      title="API profile"
      about="How strictly the API validates your chain's requests. You can change it at any time."
    >
      {!may('updateSettings') && <NotAllowed>Only owners can change the profile.</NotAllowed>}
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
                key={profile}
                profile={profile}
                isChosen={data.profile === profile}
                isReadOnly={!may('updateSettings')}
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

type OptionProps = { profile: Profile; isChosen: boolean; isReadOnly: boolean };

function Option({ profile, isChosen, isReadOnly }: OptionProps) {
  const { title, about, rules } = descriptions[profile];
  return (
    <Card padding="lg" style={{ borderColor: isChosen ? 'var(--mantine-primary-color-filled)' : undefined }}>
      <Stack gap="sm">
        <Radio value={profile} label={<Text fw={600}>{title}</Text>} disabled={isReadOnly && !isChosen} />
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

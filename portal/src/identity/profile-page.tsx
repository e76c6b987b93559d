import { profiles } from '@aisle/contract/identity';
import { Card, List, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { MessageKey } from '../messages/catalogue.ts';

type Profile = (typeof profiles)[number];

const descriptions = {
  strict: {
    title: 'profile.strict',
    about: 'profile.strict.about',
    rules: ['profile.strict.fields', 'profile.strict.single', 'profile.strict.dates'],
  },
  tolerant: {
    title: 'profile.tolerant',
    about: 'profile.tolerant.about',
    rules: ['profile.tolerant.items', 'profile.tolerant.accepted', 'profile.tolerant.single', 'profile.tolerant.dates'],
  },
} as const satisfies Record<Profile, { title: MessageKey; about: MessageKey; rules: MessageKey[] }>;

export function ProfilePage() {
  const t = useMessages();
  const may = usePermission();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings', 'getSession']);
  const choose = (profile: Profile) =>
    confirm({
      title: t('profile.switchTo', { profile: t(`profile.${profile}`) }),
      text: t('profile.switchText'),
      action: t('profile.switch'),
      isHarmless: true,
      onConfirm: () =>
        update.mutate(
          { body: { profile } },
          { onSuccess: () => notifyDone(t('profile.switched', { profile: t(`profile.${profile}`) })) },
        ),
    });
  return (
    <Page title={t('profile.title')} about={t('profile.about')}>
      {!may('updateSettings') && <NotAllowed>{t('profile.ownersOnly')}</NotAllowed>}
      {data ? (
        <Radio.Group
          value={data.profile}
          onChange={(value) => choose(value)}
          readOnly={!may('updateSettings')}
          aria-label={t('profile.profile')}
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
  const t = useMessages();
  const { title, about, rules } = descriptions[profile];
  return (
    <Card padding="lg" style={{ borderColor: isChosen ? 'var(--mantine-primary-color-filled)' : undefined }}>
      <Stack gap="sm">
        <Radio value={profile} label={<Text fw={600}>{t(title)}</Text>} disabled={isReadOnly && !isChosen} />
        <Text size="sm">{t(about)}</Text>
        <List size="sm" spacing={4} c="dimmed">
          {rules.map((rule) => (
            <List.Item key={rule}>{t(rule)}</List.Item>
          ))}
        </List>
      </Stack>
    </Card>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { isLanguage, languages } from '../messages/catalogue.ts';
import { chooseLanguage, useLanguage } from '../messages/language.ts';

/** The languages as items of a menu. */
export function LanguageItems() {
  const { language, t } = useLanguage();
  const entries = Object.entries(languages);
  return (
    <>
      <Menu.Label>{t('shell.language')}</Menu.Label>
      {entries.map(([key, { name, direction }]) => (
        <Menu.Item
          key={key}
          lang={key}
          dir={direction}
          role="menuitemradio"
          aria-checked={key === language}
          onClick={() => {
            if (isLanguage(key)) void chooseLanguage(key);
          }}
          rightSection={key === language ? '✓' : undefined}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}

export function LanguageMenu() {
  const { t } = useLanguage();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('shell.language')}>
          <IconLanguage size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageItems />
      </Menu.Dropdown>
    </Menu>
  );
}

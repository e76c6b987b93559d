import { ActionIcon, Menu } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { isLanguage, languagesWith } from '../messages/catalogue.ts';
import { chooseLanguage, useLanguage } from '../messages/language.ts';

/** The languages as items of a menu. */
export function LanguageItems() {
  const { language, t } = useLanguage();
  return (
    <>
      <Menu.Label>{t('shell.language')}</Menu.Label>
      <Menu.RadioGroup
        value={language}
        onChange={(chosen) => {
          if (isLanguage(chosen)) void chooseLanguage(chosen);
        }}
      >
        {languagesWith('pages').map(({ language: one, name }) => (
          <Menu.RadioItem key={one} value={one} lang={one}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
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

import { isLanguage, languagesWith } from '../messages/catalogue.ts';
import { chooseLanguage } from '../messages/language.ts';
import { useWording } from './language.ts';

export function LanguageSwitch() {
  const { text, language } = useWording();
  return (
    <label className="field">
      {text('settings.language')}
      <select
        value={language}
        onChange={({ target }) => {
          if (isLanguage(target.value)) void chooseLanguage(target.value);
        }}
      >
        {languagesWith('pick').map(({ language: one, name }) => (
          <option key={one} value={one} lang={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

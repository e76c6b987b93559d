import { isLanguage, languages } from '../messages/catalogue.ts';
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
        {Object.entries(languages).map(([key, { name }]) => (
          <option key={key} value={key} lang={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

import { isLanguage, languages } from '../messages/catalogue.ts';
import { chooseLanguage, useWording } from './language.ts';

export function LanguageSwitch() {
  const { text, language } = useWording();
  return (
    <label className="field">
      {text('settings.language')}
      <select
        value={language}
        onChange={({ target }) => {
          if (isLanguage(target.value)) chooseLanguage(target.value);
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

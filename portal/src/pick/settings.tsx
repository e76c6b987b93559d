import { useState } from 'react';
import { countUnsent } from './drafts.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { useWording } from './language.ts';
import { notificationState } from './notifications.ts';
import { type Session, signOut } from './session.ts';
import { Sheet } from './sheet.tsx';
import { isSoundOn, setSound } from './sounds.ts';
import { useStore } from './store.ts';

export function Settings({ session, onClose }: { session: Session; onClose(): void }) {
  const { text } = useWording();
  const hasSound = useStore(isSoundOn);
  const [isDark, setDark] = useState(() => document.documentElement.dataset['mantineColorScheme'] === 'dark');
  const [permission, setPermission] = useState(notificationState);
  const leave = () => {
    const count = countUnsent();
    if (count > 0 && !window.confirm(text('settings.signOutUnsent', { count }))) return;
    void signOut();
  };
  return (
    <Sheet title={text('queue.settings')} onClose={onClose}>
      <p className="dim">
        <bdi>{session.user.name}</bdi> · <bdi>{session.chain.name}</bdi>
      </p>
      <LanguageSwitch />
      <Switch label={text('settings.sound')} help={text('settings.soundHelp')} isOn={hasSound} onChange={setSound} />
      {permission !== 'unavailable' && (
        <Switch
          label={text('settings.notifications')}
          help={text(permission === 'denied' ? 'settings.notificationsBlocked' : 'settings.notificationsHelp')}
          isOn={permission === 'granted'}
          isDisabled={permission !== 'default'}
          onChange={() => void Notification.requestPermission().then(setPermission)}
        />
      )}
      <Switch
        label={text('settings.dark')}
        isOn={isDark}
        onChange={(isOn) => {
          setDark(isOn);
          chooseScheme(isOn ? 'dark' : 'light');
        }}
      />
      <a className="button" href={session.user.role === 'PICKER' ? '/portal/settings/account' : '/portal'}>
        {text(session.user.role === 'PICKER' ? 'settings.account' : 'settings.portal')}
      </a>
      <button type="button" onClick={leave}>
        {text('settings.signOut')}
      </button>
    </Sheet>
  );
}

type SwitchProps = { label: string; help?: string; isOn: boolean; isDisabled?: boolean; onChange(isOn: boolean): void };

function Switch({ label, help, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <span>
        {label}
        {help && <small>{help}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}

/** Stored under the portal's key, so that the portal and the app look alike. */
function chooseScheme(scheme: 'light' | 'dark'): void {
  localStorage.setItem('mantine-color-scheme-value', scheme);
  document.documentElement.dataset['mantineColorScheme'] = scheme;
}

import './pick.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { recordReachability } from '../api/reach.ts';
import { completeSignOuts } from '../api/sign-out.ts';
import { applyLanguage, loadMessages } from '../messages/language.ts';
import { App } from './app.tsx';
import { loadSession } from './session.ts';
import { enableSound } from './sounds.ts';
import { sendAllDrafts } from './sync.ts';

applyLanguage();
enableSound();
completeSignOuts();
window.addEventListener('offline', () => recordReachability(false));
window.addEventListener('online', sendAllDrafts);
void loadSession().then(sendAllDrafts);
if (import.meta.env.PROD && 'serviceWorker' in navigator) void installWorker();

await loadMessages('pick');
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

/** Installs the service worker. If one of its files cannot be loaded, the browser gives up, so this tries again. */
async function installWorker(): Promise<void> {
  const again = () => setTimeout(() => void installWorker(), 5000);
  try {
    const registration = await navigator.serviceWorker.register('/pick/service-worker.js', { scope: '/pick' });
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'redundant' && !registration.active) again();
    });
  } catch {
    again();
  }
}

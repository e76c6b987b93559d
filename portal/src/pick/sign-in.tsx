import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { signInFailure } from '../api/sign-in-failure.ts';
import type { Translate } from '../messages/catalogue.ts';
import { fieldOf } from './form.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { useWording } from './language.ts';
import { hasEnded, session, signIn } from './session.ts';
import { useStore } from './store.ts';

type Chains = NonNullable<ApiError['problem']['chains']>;

export function SignIn() {
  const { text } = useWording();
  const isEnded = useStore(hasEnded);
  const [chains, setChains] = useState<Chains>([]);
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = (name: string) => fieldOf(form, name);
    const [chainId, code] = [field('chain_id'), field('code')];
    const account = { email: field('email'), password: field('password') };
    setPending(true);
    setFailure(undefined);
    try {
      await signIn({ ...account, ...(chainId !== '' && { chain_id: chainId }), ...(code !== '' && { code }) });
    } catch (error) {
      const problem: ApiError['problem'] = error instanceof ApiError ? error.problem : {};
      if (problem.chains) setChains(problem.chains);
      if (problem.code === 'second_factor_required') setNeedsCode(true);
      const isQuestion = problem.code === 'several_accounts' || problem.code === 'second_factor_required';
      setFailure(isQuestion ? undefined : describe(error, text));
    } finally {
      setPending(false);
    }
  };
  return (
    <main className="sign-in">
      <header>
        <img src="/pick/icon.svg" width={56} height={56} alt="" />
        <h1>{text('signIn.title')}</h1>
      </header>
      {isEnded && <p className="notice">{text('signIn.ended')}</p>}
      {failure && (
        <p className="notice" data-tone="bad" role="alert">
          {failure}
        </p>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label>
          {text('signIn.email')}
          <input name="email" type="email" autoComplete="username" required dir="ltr" />
        </label>
        <label>
          {text('signIn.password')}
          <input name="password" type="password" autoComplete="current-password" required dir="ltr" />
        </label>
        {chains.length > 0 && (
          <label>
            {text('signIn.chain')}
            <select name="chain_id">
              {chains.map(({ chain_id, name }) => (
                <option key={chain_id} value={chain_id}>
                  {name}
                </option>
              ))}
            </select>
            <small>{text('signIn.chainHelp')}</small>
          </label>
        )}
        {needsCode && (
          <label>
            {text('signIn.code')}
            <input name="code" autoComplete="one-time-code" autoFocus required dir="ltr" />
            <small>{text('signIn.codeHelp')}</small>
          </label>
        )}
        <button type="submit" className="primary" disabled={isPending}>
          {text('signIn.submit')}
        </button>
      </form>
      <p className="dim">{text('signIn.help')}</p>
      <LanguageSwitch />
    </main>
  );
}

/** Shown to a user who has to do something in the portal first, such as setting up a second factor. */
export function PortalNeeded({ title, action }: { title: string; action: string }) {
  const { text } = useWording();
  return (
    <main className="sign-in">
      <h1>{title}</h1>
      <a className="button primary" href="/portal">
        {action}
      </a>
      <button type="button" onClick={() => session.set(null)}>
        {text('signIn.submit')}
      </button>
    </main>
  );
}

function describe(error: unknown, text: Translate): string {
  if (!(error instanceof ApiError)) return text('app.failed');
  if (error.status === 0) return text('app.unreachable');
  return signInFailure(error, text) ?? error.message;
}

import { useDocumentTitle } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useSignIn } from '../api/session.tsx';
import { wasSignedIn } from '../api/signed-in.ts';
import { useMessages } from '../messages/use-messages.ts';
import { SignInForm } from './sign-in-form.tsx';

const ChainSelect = lazy(() => import('./chain-select.tsx').then((module) => ({ default: module.ChainSelect })));

type Chains = NonNullable<ApiError['problem']['chains']>;

/** Shown at every URL until the user signs in. */
export function SignIn() {
  const t = useMessages();
  useDocumentTitle(`${t('signIn.submit')} · Aisle`);
  const signIn = useSignIn();
  const [hasEnded] = useState(wasSignedIn);
  const [chains, setChains] = useState<Chains>([]);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return (
    <SignInForm
      site={t('account.partnerPortal')}
      hasEnded={hasEnded}
      hint={isHere ? t('account.demoHint') : t('account.help')}
      error={signIn.error}
      isPending={signIn.isPending}
      onSubmit={(body) =>
        signIn.mutate(body, {
          onError: (error) => {
            if (error instanceof ApiError && error.problem.chains) setChains(error.problem.chains);
          },
        })
      }
    >
      {chains.length > 0 && (
        <Suspense>
          <ChainSelect chains={chains} name="chain_id" />
        </Suspense>
      )}
    </SignInForm>
  );
}

import { Code } from '../kit/code.tsx';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { sftpCommand } from './labels.ts';
import { useSftpServer } from './use-sftp.ts';

type PasswordOnceProps = { username: string; password: string; onClose(): void };

/** Shows a new password once, with the command to log in. */
export function PasswordOnce({ username, password, onClose }: PasswordOnceProps) {
  const t = useMessages();
  const server = useSftpServer();
  const command = server && sftpCommand(server, username);
  return (
    <Secret
      title={t('sftp.canLogIn', { username })}
      label={t('sftp.password')}
      secret={password}
      lost={t('sftp.lost')}
      onClose={onClose}
    >
      <Code
        label={command ? t('sftp.connect') : t('sftp.username')}
        language="shell"
        text={command ?? username}
        isWrapped
      />
    </Secret>
  );
}

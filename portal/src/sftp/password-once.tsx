import { Code } from '../kit/code.tsx';
import { Secret } from '../kit/secret.tsx';
import { sftpCommand } from './labels.ts';
import { useSftpServer } from './use-sftp.ts';

type PasswordOnceProps = { username: string; password: string; onClose(): void };

/** Shows a new password once, with the command to log in. */
export function PasswordOnce({ username, password, onClose }: PasswordOnceProps) {
  const server = useSftpServer();
  const command = server && sftpCommand(server, username);
  return (
    <Secret
      title={`${username} can log in now`}
      label="Password"
      secret={password}
      lost="If you lose it, reset it."
      onClose={onClose}
    >
      <Code label={command ? 'Connect' : 'Username'} language="shell" text={command ?? username} />
    </Secret>
  );
}

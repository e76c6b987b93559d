export type MessageHeaders = {
  messageId: string;
  type: string;
  environment: string;
  /** The time in `webhook-timestamp`. */
  at: Date;
  signature: string;
  userAgent: string;
  authorization: string | undefined;
};

/** The value of `webhook-timestamp`, which is part of what is signed. */
export function timestampOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** The headers of a message. Also used to show the headers of an earlier attempt, with the authorization hidden. */
export function messageHeaders(message: MessageHeaders): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': message.userAgent,
    'webhook-id': message.messageId,
    'webhook-timestamp': String(timestampOf(message.at)),
    'webhook-signature': message.signature,
    'aisle-event-type': message.type,
    'x-environment': message.environment,
    ...(message.authorization !== undefined && { authorization: message.authorization }),
  };
}

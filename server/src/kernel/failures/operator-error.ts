/** An error that the operator can fix. The program prints its message, one sentence, without a stack trace. */
export class OperatorError extends Error {}

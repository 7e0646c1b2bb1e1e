/**
 * The bytes that a wallet signs for a message: the message between `<Bytes>` and `</Bytes>`, so
 * that it cannot be a transaction. A message that is already wrapped is not wrapped again, like in
 * other wallets.
 */
export function wrapMessage(message: string): Uint8Array<ArrayBuffer> {
  const isWrapped = message.startsWith('<Bytes>') && message.endsWith('</Bytes>')
  return new TextEncoder().encode(isWrapped ? message : `<Bytes>${message}</Bytes>`)
}

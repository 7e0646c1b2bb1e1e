/**
 * What a wallet signs for a message: the text between `<Bytes>` and `</Bytes>`, so that it cannot
 * be a transaction. A text that already has them gets no second ones, like in other wallets.
 */
export function wrapMessage(message: string): Uint8Array<ArrayBuffer> {
  const isWrapped = message.startsWith('<Bytes>') && message.endsWith('</Bytes>')
  return new TextEncoder().encode(isWrapped ? message : `<Bytes>${message}</Bytes>`)
}

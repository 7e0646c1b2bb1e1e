/**
 * What a wallet signs for a message: the text between `<Bytes>` and `</Bytes>`, so that it cannot be a transaction. A text
 * that has them already gets no second ones, as wallets do it.
 */
export function wrapMessage(message: string): Uint8Array<ArrayBuffer> {
  const isWrapped = message.startsWith('<Bytes>') && message.endsWith('</Bytes>')
  return new TextEncoder().encode(isWrapped ? message : `<Bytes>${message}</Bytes>`)
}

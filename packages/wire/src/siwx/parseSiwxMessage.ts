import { solanaClusters } from '../solanaIds.ts'
import { parseCaip122 } from './parseCaip122.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/**
 * Reads a sign-in message, strictly: every line in its place, and no other lines. Otherwise returns
 * the first invalid field, or `text` if the lines do not form a sign-in message. For Solana it also
 * reads its wallets' form, which omits the second empty line if there is no statement and has the
 * name of a public network instead of its id.
 */
export const parseSiwxMessage = (
  text: string,
): { readonly message: SiwxMessage } | { readonly fault: SiwxField } =>
  parseCaip122(
    /^\S+ wants you to sign in with your Solana account:\n/.test(text) ? toCaip122(text) : text,
  )

function toCaip122(text: string): string {
  const [header = '', address = '', blank = '', ...rest] = text.split('\n')
  // Before an empty line it is the statement.
  if (rest[0]?.startsWith('URI: ') && rest[1] !== '') rest.unshift('')
  const at = rest[0] === '' ? 3 : 4
  const [, name = ''] = /^Chain ID: (?:solana:)?(\w+)$/.exec(rest[at] ?? '') ?? []
  const reference = solanaClusters.get(name)
  const lines = reference === undefined ? rest : rest.with(at, `Chain ID: ${reference}`)
  return [header, address, blank, ...lines].join('\n')
}

import { solanaClusters } from '../solanaIds.ts'
import { parseCaip122 } from './parseCaip122.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/**
 * Reads a sign-in message, strictly: every line in its place and none besides. Otherwise returns
 * the first field that is not valid, `text` if the lines are not those of a sign-in message. Of
 * Solana also as its wallets write it, which leave out the second empty line where there is no
 * statement and name a public network instead of its id.
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

import { encodeBase58 } from '@latchkey/wire'
import * as z from 'zod/mini'
import { invalidParams } from '../requests/parameters.ts'
import type { PreparedRequest, WalletRequest } from '../requests/walletRequest.ts'
import { connectSolanaSite, currentSolanaAccount } from '../state.ts'
import { solanaAccounts } from './accounts.ts'
import { signSolana } from './signSolana.ts'

/** One line of printable text. */
const line = z.string().check(z.maxLength(2_000), z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u))
const input = z.object({
  domain: z.optional(line),
  address: z.optional(line),
  statement: z.optional(line),
  uri: z.optional(line),
  version: z.optional(line),
  chainId: z.optional(line),
  nonce: z.optional(line),
  issuedAt: z.optional(line),
  expirationTime: z.optional(line),
  notBefore: z.optional(line),
  requestId: z.optional(line),
  resources: z.optional(z.array(line).check(z.maxLength(20))),
})

const labels = {
  uri: 'URI',
  version: 'Version',
  chainId: 'Chain ID',
  nonce: 'Nonce',
  issuedAt: 'Issued At',
  expirationTime: 'Expiration Time',
  notBefore: 'Not Before',
  requestId: 'Request ID',
} as const

/**
 * Connects a site and signs it in with one approval (`solana:signIn` of the Wallet Standard).
 * Throws INVALID_PARAMS.
 */
export function prepareSignIn({ origin, call, state }: WalletRequest): PreparedRequest {
  const parsed = input.safeParse(call.params)
  if (!parsed.success) throw invalidParams('sign-in')
  const account = parsed.data.address ?? currentSolanaAccount(state)
  const index = toIndex(account)
  const { host } = new URL(origin)
  if (index < 0 || (parsed.data.domain ?? host) !== host) throw invalidParams('sign-in')
  const text = formatMessage(parsed.data, { host, account })
  return {
    title: 'Connect this site on Solana and sign in?',
    rows: [
      { label: 'Message', text },
      { label: 'Account', value: account },
      { label: 'Allows', value: 'See this address and request signatures' },
    ],
    approve: async () => {
      connectSolanaSite(origin, Date.now())
      const message = new TextEncoder().encode(text)
      const signature = encodeBase58(await signSolana(index, message))
      return { address: account, signedMessage: encodeBase58(message), signature }
    },
  }
}

const toIndex = (account: string) => (solanaAccounts as readonly string[]).indexOf(account)

/** The message of Sign In With Solana (https://github.com/phantom/sign-in-with-solana). */
function formatMessage(
  { statement, resources, ...fields }: z.infer<typeof input>,
  { host, account }: { host: string; account: string },
): string {
  const lines = Object.entries(labels).flatMap(([name, label]) => {
    const value = fields[name as keyof typeof labels]
    return value === undefined ? [] : `${label}: ${value}`
  })
  return [
    `${host} wants you to sign in with your Solana account:`,
    account,
    ...(statement === undefined ? [] : ['', statement]),
    ...(lines.length > 0 || resources ? [''] : []),
    ...lines,
    ...(resources ? ['Resources:', ...resources.map((one) => `- ${one}`)] : []),
  ].join('\n')
}

import * as z from 'zod/mini'
import { bytesToHex } from '../encoding/bytesToHex.ts'
import { omitNulls } from '../encoding/omitNulls.ts'
import { LatchkeyError } from '../errors/errors.ts'
import type { SiwxMessage } from './siwxMessage.ts'
import { writeSiwxMessage } from './writeSiwxMessage.ts'

const text = z.optional(z.string())
const signInFields = z.object({
  nonce: z.string(),
  chainId: z.string(),
  version: text,
  scheme: z.optional(z.string().check(z.regex(/^[a-z][a-z0-9+.-]*$/i))),
  domain: text,
  uri: text,
  statement: text,
  issuedAt: text,
  expirationTime: text,
  notBefore: text,
  requestId: text,
  resources: z.optional(z.array(z.string())),
})
type SignInFields = z.infer<typeof signInFields>

const capabilityName = 'signInWithEthereum'
const asked = z.object({
  version: z.optional(z.literal('1')),
  capabilities: z.optional(
    z.catchall(z.object({ [capabilityName]: z.optional(signInFields) }), z.unknown()),
  ),
})

/** A checked request of `wallet_connect`. */
export type ConnectRequest = { readonly signIn: SignInFields | undefined }

/**
 * The result of `wallet_connect`: the accounts, the current account first, each with the results of
 * the requested capabilities.
 */
type ConnectAnswer = {
  readonly accounts: readonly {
    readonly address: string
    readonly capabilities: {
      readonly [capabilityName]?: { readonly message: string; readonly signature: unknown }
    }
  }[]
}

/**
 * Checks the params of wallet_connect (ERC-7846) before the approval is shown. Throws
 * INVALID_PARAMS with the name of the field, and CAPABILITY_UNSUPPORTED for a capability that is
 * neither `signInWithEthereum` nor optional.
 */
export function readConnectRequest(params: unknown): ConnectRequest {
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  const parsed = z.safeParse(asked, omitNulls(first ?? {}))
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.path.join('.') || 'params')
  const { [capabilityName]: signIn, ...others } = parsed.data.capabilities ?? {}
  const lacking = Object.entries(others).find(
    ([, value]) => (value as { optional?: unknown } | null)?.optional !== true,
  )
  if (lacking) {
    const reason = lacking[0].slice(0, 60)
    throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason } })
  }
  // A placeholder for the account's address, which is not known yet.
  if (signIn) writeMessage(signIn, { address: `0x${'0'.repeat(40)}`, href: undefined, nowMs: 0 })
  return { signIn }
}

/**
 * Builds the response of wallet_connect for connected accounts. With `signInWithEthereum`, the
 * account in use signs the message of EIP-4361. `href` is the requesting page. Throws the errors of
 * `sign`.
 */
export async function answerConnect(
  { signIn }: ConnectRequest,
  parameters: {
    accounts: readonly string[]
    href: string | undefined
    nowMs: number
    /** Requests `personal_sign` with these params from the wallet. */
    sign(params: readonly [string, string]): Promise<unknown>
  },
): Promise<ConnectAnswer> {
  const { accounts, href, nowMs, sign } = parameters
  const [address, ...others] = accounts
  if (address === undefined) throw new LatchkeyError('UNAUTHORIZED')
  const plain = others.map((other) => ({ address: other, capabilities: {} }))
  if (!signIn) return { accounts: [{ address, capabilities: {} }, ...plain] }
  const message = writeMessage(signIn, { address, href, nowMs })
  const signature = await sign([`0x${bytesToHex(new TextEncoder().encode(message))}`, address])
  const capabilities = { [capabilityName]: { message, signature } }
  return { accounts: [{ address, capabilities }, ...plain] }
}

/** Throws INVALID_PARAMS with the name of the field. */
function writeMessage(
  { scheme, chainId: wanted, version = '1', ...fields }: SignInFields,
  {
    address,
    href = 'http://localhost',
    nowMs,
  }: { address: string; href?: string | undefined; nowMs: number },
): string {
  if (!/^0x[0-9a-f]{1,14}$/i.test(wanted)) throw invalid('chainId')
  const { host, origin } = new URL(href)
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Pick<SiwxMessage, 'nonce'>
  const message = writeSiwxMessage({
    domain: host,
    uri: origin,
    issuedAt: new Date(nowMs).toISOString(),
    ...given,
    version: version as '1',
    chainId: `eip155:${BigInt(wanted)}`,
    accountAddress: address,
  })
  return scheme === undefined ? message : `${scheme}://${message}`
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

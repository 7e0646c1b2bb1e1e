import { fromCoinType, parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod'
import { badRequest, HttpFailure } from '../http/failure.ts'

/**
 * The signed content of a change. Older clients leave out `action`, and `name` if the path contains
 * it. Our clients bind both, so that a signature is valid for one change of one name.
 */
const timestamp = z.int()
const attributes = z.record(z.string(), z.string())
const coinType = z.int()
const address = z.string()

const nameMessages = {
  register: z.object({
    action: z.literal('register').optional(),
    name: z.string(),
    attributes: attributes.optional(),
    timestamp,
  }),
  attributes: z.object({
    action: z.literal('attributes').optional(),
    name: z.string().optional(),
    attributes,
    timestamp,
  }),
  address: z.object({
    action: z.literal('address').optional(),
    name: z.string().optional(),
    coin_type: coinType,
    address,
    timestamp,
  }),
  transfer: z.object({ action: z.literal('transfer'), name: z.string(), to: address, timestamp }),
  primary: z.object({ action: z.literal('primary'), name: z.string(), timestamp }),
  release: z.object({ action: z.literal('release'), name: z.string(), timestamp }),
} as const
export type NameAction = keyof typeof nameMessages
export type NameMessage<Action extends NameAction> = z.output<(typeof nameMessages)[Action]>

/** Parses the signed JSON. Throws {@link HttpFailure} with 422, like for an invalid body. */
export function parseNameMessage<Action extends NameAction>(
  action: Action,
  message: string,
): NameMessage<Action> {
  try {
    const schema: z.ZodType = nameMessages[action]
    return schema.parse(parseBoundedJson(message)) as NameMessage<Action>
  } catch {
    const description = `The message is not the JSON that is signed to ${wording[action]}`
    throw new HttpFailure({ status: 422, field: 'message', description })
  }
}

const wording: Record<NameAction, string> = {
  register: 'register a name',
  attributes: 'change attributes',
  address: 'change an address',
  transfer: 'transfer a name',
  primary: 'choose the name of an account',
  release: 'release a name',
}

const clockMs = 10_000
/**
 * Users read before they approve, and the clocks of phones are wrong. A longer time is safe,
 * because a message that names its action works for that action only, and only once.
 */
const readingMs = 5 * 60_000
/** After this, no message can be used again. */
export const messageLifetimeMs = 2 * readingMs + 2 * clockMs

/**
 * Throws {@link HttpFailure} unless a message was signed just now. Old messages are refused, so
 * that no one can keep a message for later.
 */
export function checkTimestamp(
  nowMs: number,
  message: { readonly action?: string | undefined; readonly timestamp: number },
): void {
  const ageMs = nowMs - message.timestamp * 1000
  const maxMs = message.action === undefined ? clockMs : readingMs
  // A timestamp has whole seconds.
  if (ageMs >= -maxMs && ageMs < maxMs + 1000) return
  const description = 'The message was signed too long ago, or the clock is wrong. Sign a new one'
  throw new HttpFailure(badRequest('timestamp', description))
}

const maxValue = 255
const plainText = /^[a-zA-Z0-9@:/._\-?&=+ ]+$/
/** The avatars that we would show: pictures on the web and IPFS, and NFTs (ENSIP-12). */
const avatarText = /^(?:https:\/\/|ipfs:\/\/|eip155:[1-9]\d*\/erc(?:721|1155):0x)/

/**
 * Throws {@link HttpFailure} unless attributes may be stored: `bio` and `avatar`, of plain
 * characters.
 */
export function checkAttributes(given: Readonly<Record<string, string>>): void {
  const refuse = (reason: string) => new HttpFailure(badRequest('attributes', reason))
  for (const [key, value] of Object.entries(given)) {
    if (key !== 'bio' && key !== 'avatar')
      throw refuse('Names have the attributes bio and avatar only')
    if (value.length > maxValue || !plainText.test(value))
      throw refuse(
        `${key} must have 1 to ${maxValue} letters, digits, spaces or characters of a URL`,
      )
    if (key === 'avatar' && !avatarText.test(value))
      throw refuse('avatar must be an https: or ipfs: URL or an NFT (ENSIP-12)')
  }
}

/** The EVM network of a coin type. Throws {@link HttpFailure} if the server does not support it. */
export function parseCoinType(
  chains: Readonly<Record<string, unknown>>,
  coinType: number,
): `eip155:${string}` {
  const chainId = `eip155:${fromCoinType(coinType)}` as const
  // Names originate on Ethereum: a key can sign for it without a node.
  if (chainId === 'eip155:1' || Object.hasOwn(chains, chainId)) return chainId
  const description = `The coin type ${coinType} belongs to no EVM network of this server`
  throw new HttpFailure(badRequest('coin_type', description))
}

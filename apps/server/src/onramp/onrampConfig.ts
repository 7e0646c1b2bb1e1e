import { type ChainId, nativeAsset, paymentMethods } from '@latchkey/wire'
import * as z from 'zod'
import { readJsonFile } from '../config/readJsonFile.ts'
import { isLoopbackOrigin } from '../projects/originAllowed.ts'
import { isCdpKey } from './coinbase/cdpToken.ts'
import { fillTemplate, type TemplateValues } from './fillTemplate.ts'
import { decodeSecret } from './webhookSignature.ts'

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .refine(isSafe, 'must be https, except on this machine')

/** Only on this machine may a checkout and its reports use unencrypted connections. */
function isSafe(text: string): boolean {
  return text.startsWith('https:') || isLoopbackOrigin(text)
}

const sample: TemplateValues = {
  orderId: 'a',
  address: 'a',
  chainId: 'a',
  asset: 'a',
  symbol: 'a',
  currency: 'a',
  amount: '1',
  method: 'card',
}

const template = z.string().superRefine((text, context) => {
  const filled = fillTemplate(text, sample, 'key')
  const message =
    'unknown' in filled
      ? `must not name {${filled.unknown}}`
      : !text.includes('{orderId}') || !text.includes('{address}')
        ? 'must name {orderId} and {address}'
        : !URL.canParse(filled.url) || !/^https?:/.test(filled.url) || !isSafe(filled.url)
          ? 'must be an https:// URL, except on this machine'
          : undefined
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

const percent = z.number().min(0).max(100)
const common = {
  name: z.string().min(1).max(40),
  /** The range of its fees; 1 to 2 % unless set. */
  feePercent: z
    .object({ min: percent, max: percent })
    .refine(({ min, max }) => min <= max, 'must not have a min above its max')
    .default({ min: 1, max: 2 }),
  /** By CAIP-2 id: `native`, and contracts or mints of tokens. The default list unless set. */
  assets: z
    .record(z.string(), z.array(z.union([z.literal(nativeAsset), z.string().min(32).max(64)])))
    .optional(),
  currencies: z
    .array(z.enum(['USD', 'EUR']))
    .min(1)
    .default(['USD', 'EUR']),
  methods: z
    .array(z.enum(paymentMethods))
    .min(1)
    .default([...paymentMethods]),
}

const checkout = z.strictObject({
  type: z.literal('checkout'),
  ...common,
  /**
   * The checkout's page with `{orderId}`, `{address}`, `{chainId}`, `{asset}`, `{symbol}`,
   * `{currency}`, `{amount}`, `{method}` and `{signature}`.
   */
  url: template,
  /** Accepts `POST` and returns a quote. */
  quoteUrl: url.optional(),
  /**
   * Signs its webhooks and `{signature}`: `whsec_` and base64 of 24 to 64 bytes (Standard
   * Webhooks).
   */
  webhookSecret: z
    .string()
    .refine(
      (text) => decodeSecret(text) !== undefined,
      'must be whsec_ and base64 of 24 to 64 bytes',
    ),
})
export type CheckoutConfig = z.infer<typeof checkout>

const coinbase = z.strictObject({
  type: z.literal('coinbase'),
  ...common,
  name: common.name.default('Coinbase'),
  /** Id and secret of a CDP Secret API Key. */
  keyId: z.string().min(1).max(200),
  keySecret: z.string().refine(isCdpKey, 'must be an EC key in PEM, or base64 of an Ed25519 key'),
  /** The location for quotes: ISO 3166-1, and for the US ISO 3166-2. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capitals, such as US')
    .default('US'),
  subdivision: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capitals, such as NY')
    .optional(),
  apiUrl: url.default('https://api.developer.coinbase.com'),
  payUrl: url.default('https://pay.coinbase.com/buy/select-asset'),
})
export type CoinbaseConfig = z.infer<typeof coinbase>

const schema = z.strictObject({
  providers: z.record(
    z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be lower-case letters, digits and hyphens'),
    z.discriminatedUnion('type', [checkout, coinbase]),
  ),
})

/** One provider as configured by the operator. */
export type ProviderConfig = CheckoutConfig | CoinbaseConfig

/** The providers by id, in the operator's order. Not for logs. */
export type OnrampConfig = ReadonlyMap<string, ProviderConfig>

/**
 * The assets that a provider is configured to sell on a network; undefined for the default list.
 */
export const getAssets = (
  { assets }: ProviderConfig,
  chainId: ChainId,
): readonly string[] | undefined => (assets === undefined ? undefined : (assets[chainId] ?? []))

/** Reads the file that `ONRAMP_FILE` names. */
export function readOnramp(file: string | undefined): { onramp: OnrampConfig; problems: string[] } {
  if (file === undefined) return { onramp: new Map(), problems: [] }
  const { data, problems } = readJsonFile('ONRAMP_FILE', file, schema)
  return { onramp: new Map(Object.entries(data?.providers ?? {})), problems }
}

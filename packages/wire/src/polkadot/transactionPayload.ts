import { blake2b } from '@noble/hashes/blake2.js'
import * as z from 'zod/mini'
import { fromHex } from '../encoding/fromHex.ts'
import { LatchkeyError } from '../errors/errors.ts'

// https://paritytech.github.io/polkadot-sdk/master/polkadot_sdk_docs/reference_docs/extrinsic_encoding

const bytes = z.string().check(z.regex(/^0x([0-9a-f]{2}){1,100000}$/i))
const hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/i))
/** Most significant digit first. */
const uint32 = z.string().check(z.regex(/^0x0{0,24}[0-9a-f]{1,8}$/i))
const uint128 = z.string().check(z.regex(/^0x[0-9a-f]{1,32}$/i))

const schema = z.object({
  address: z.string(),
  blockHash: hash,
  blockNumber: uint32,
  /** Already encoded: one byte for an immortal transaction, two bytes for any other. */
  era: z.string().check(z.regex(/^0x(00|(?!00)[0-9a-f]{4})$/i)),
  genesisHash: hash,
  /** The encoded call. */
  method: bytes,
  nonce: uint128,
  specVersion: uint32,
  tip: uint128,
  transactionVersion: uint32,
  signedExtensions: z.array(z.string()).check(z.maxLength(50)),
  version: z.literal(4),
  /**
   * The asset that pays the fee, if it is not the network's own currency, in the network's
   * encoding.
   */
  assetId: z.optional(z.nullable(z.string().check(z.regex(/^0x([0-9a-f]{2}){1,500}$/i)))),
  mode: z.optional(z.union([z.literal(0), z.literal(1)])),
  metadataHash: z.optional(z.nullable(hash)),
})

/**
 * A transaction to sign, in the form that wallets accept: `SignerPayloadJSON` of
 * https://polkadot.js.org/docs/extension.
 */
export type TransactionPayload = z.output<typeof schema>

/**
 * Parses a payload. Drops unknown fields, because wallets may interpret them differently. Throws
 * INVALID_PARAMS.
 */
export function parsePayload(value: unknown): TransactionPayload {
  const parsed = z.safeParse(schema, value)
  const issue = parsed.error?.issues[0]?.path.join('.')
  if (!parsed.success) throw invalid(`transactionPayload.${issue ?? ''}`)
  const unknown = parsed.data.signedExtensions.find((name) => !Object.hasOwn(extensions, name))
  if (unknown !== undefined)
    throw invalid(`What is signed for the extension ${unknown.slice(0, 100)} is not known`)
  const { assetId, signedExtensions } = parsed.data
  // Otherwise the asset would be shown but not signed.
  if (assetId && !signedExtensions.includes('ChargeAssetTxPayment'))
    throw invalid('transactionPayload.assetId')
  const written = signedExtensions.filter((name) => extensions[name]?.extra).join()
  if (!writtenParts.test(written) || !signedExtensions.includes('CheckGenesis'))
    throw invalid('transactionPayload.signedExtensions')
  return parsed.data
}

/**
 * The extensions that append bytes to the call, in the order that all networks use. In another
 * order, or if an extension is missing, a network would confuse the parts, for example the nonce
 * and the tip. The hash of the genesis binds these bytes to the network.
 */
const writtenParts =
  /^CheckMortality,CheckNonce,Charge(Transaction|AssetTx)Payment(,CheckMetadataHash)?$/

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/**
 * The bytes that an account signs for a transaction: call and extensions, or their hash if they are
 * longer than 256 bytes.
 */
export function encodePayload(payload: TransactionPayload): Uint8Array {
  const parts = payload.signedExtensions.flatMap((name) => extensions[name] ?? [])
  const encoded = Uint8Array.from([
    ...fromHex(payload.method),
    ...parts.flatMap(({ extra }) => extra?.(payload) ?? []),
    ...parts.flatMap(({ implicit }) => implicit?.(payload) ?? []),
  ])
  return encoded.length > 256 ? blake2b(encoded, { dkLen: 32 }) : encoded
}

type Encode = (payload: TransactionPayload) => readonly number[]

/**
 * By name, the data that an extension adds to the transaction (`extra`), and the data that is only
 * signed (`implicit`).
 */
const extensions: Readonly<Record<string, { extra?: Encode; implicit?: Encode }>> = {
  CheckNonZeroSender: {},
  CheckSpecVersion: { implicit: ({ specVersion }) => encodeUint32(specVersion) },
  CheckTxVersion: { implicit: ({ transactionVersion }) => encodeUint32(transactionVersion) },
  CheckGenesis: { implicit: ({ genesisHash }) => [...fromHex(genesisHash)] },
  CheckMortality: {
    extra: ({ era }) => [...fromHex(era)],
    implicit: ({ blockHash }) => [...fromHex(blockHash)],
  },
  CheckNonce: { extra: ({ nonce }) => encodeCompact(nonce) },
  CheckWeight: {},
  ChargeTransactionPayment: { extra: ({ tip }) => encodeCompact(tip) },
  ChargeAssetTxPayment: {
    extra: ({ tip, assetId }) => [
      ...encodeCompact(tip),
      ...(assetId ? [1, ...fromHex(assetId)] : [0]),
    ],
  },
  PrevalidateAttests: {},
  StorageWeightReclaim: {},
  WeightReclaim: {},
  CheckMetadataHash: {
    extra: ({ mode = 0 }) => [mode],
    implicit: ({ metadataHash }) => (metadataHash ? [1, ...fromHex(metadataHash)] : [0]),
  },
}

const encodeUint32 = (hex: string) => littleEndian(BigInt(hex), 4)

/** SCALE's compact integer. */
function encodeCompact(hex: string): readonly number[] {
  const value = BigInt(hex)
  if (value < 1n << 6n) return littleEndian(value << 2n, 1)
  if (value < 1n << 14n) return littleEndian((value << 2n) | 1n, 2)
  if (value < 1n << 30n) return littleEndian((value << 2n) | 2n, 4)
  const length = Math.ceil(value.toString(16).length / 2)
  return [((length - 4) << 2) | 3, ...littleEndian(value, length)]
}

const littleEndian = (value: bigint, length: number): readonly number[] =>
  Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))

import * as z from 'zod'

const tokenBalance = z.object({
  accountIndex: z.int().min(0),
  mint: z.string().max(44),
  owner: z.string().max(44).optional(),
  programId: z.string().max(44).optional(),
  uiTokenAmount: z.object({
    amount: z.string().regex(/^\d{1,20}$/),
    decimals: z.int().min(0).max(255),
  }),
})
// Above the limits of every transaction of the network.
const maxParts = 512
const tokenBalances = z.array(tokenBalance).max(maxParts).nullish()
const transferInfo = z.object({
  source: z.string().max(44),
  destination: z.string().max(44),
  lamports: z.int().min(0).optional(),
  authority: z.string().max(44).optional(),
  mint: z.string().max(44).optional(),
  tokenAmount: tokenBalance.shape.uiTokenAmount.optional(),
})
const instruction = z.object({
  programId: z.string().max(44).optional(),
  parsed: z
    .object({ type: z.string().max(64), info: transferInfo.optional().catch(undefined) })
    .optional()
    .catch(undefined),
})
const instructions = z.array(instruction).max(maxParts)
// A balance of more than 2^53 lamports has lost its last digits when it is parsed.
const lamports = z.array(
  z
    .number()
    .min(0)
    .transform((value) => BigInt(Math.round(value))),
)
export const transaction = z.object({
  meta: z.object({
    err: z.unknown(),
    fee: z.int().min(0),
    preBalances: lamports,
    postBalances: lamports,
    preTokenBalances: tokenBalances,
    postTokenBalances: tokenBalances,
    innerInstructions: z.array(z.object({ instructions })).max(maxParts).nullish(),
  }),
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    message: z.object({
      accountKeys: z
        .array(z.object({ pubkey: z.string().max(44), signer: z.boolean() }))
        .min(1)
        .max(maxParts),
      instructions,
    }),
  }),
})
export type TokenBalance = z.infer<typeof tokenBalance>
export type Transaction = z.infer<typeof transaction>

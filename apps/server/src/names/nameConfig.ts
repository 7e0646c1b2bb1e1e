import * as z from 'zod'

const zone = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.[a-z]{2,63}$/,
    'must be two words with a dot, such as latchkey.id',
  )

/** The zones for names, and the key that signs records for our resolver contract. */
export const nameEnvironment = {
  NAME_ZONES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim().toLowerCase() || []))
    .pipe(z.array(zone).max(16)),
  NAME_SIGNER_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a private key (0x and 64 hex digits)')
    .transform((text) => text as `0x${string}`)
    .optional(),
} as const

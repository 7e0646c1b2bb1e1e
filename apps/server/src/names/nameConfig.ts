import * as z from 'zod'

const zone = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.[a-z]{2,63}$/,
    'must be two words with a dot, as latchkey.id',
  )

/** Where names can be registered. */
export const nameEnvironment = {
  NAME_ZONES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim().toLowerCase() || []))
    .pipe(z.array(zone).max(16)),
} as const

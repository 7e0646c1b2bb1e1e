import * as z from 'zod/mini'

/** A value parsed by its schema, or undefined if it does not match. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> | undefined {
  // Otherwise the schemas try to compile code, which a strict content security policy reports.
  z.config({ jitless: true })
  const result = z.safeParse(schema, value)
  return result.success ? result.data : undefined
}

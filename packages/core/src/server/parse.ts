import * as z from 'zod/mini'

/** A value by its schema, or undefined when it does not fit. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> | undefined {
  // Otherwise the schemas try to compile code, which a strict content security policy reports.
  z.config({ jitless: true })
  const result = z.safeParse(schema, value)
  return result.success ? result.data : undefined
}

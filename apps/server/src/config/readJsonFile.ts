import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type * as z from 'zod'

type ReadFile<Schema extends z.ZodType> = {
  /** The absolute path. */
  readonly path: string
  /** Undefined if there are problems. */
  readonly data: z.output<Schema> | undefined
  readonly problems: string[]
}

/**
 * Reads a JSON file that the operator names with `variable`. Its values may be secrets, so problems
 * name only places.
 */
export function readJsonFile<Schema extends z.ZodType>(
  variable: string,
  file: string,
  schema: Schema,
): ReadFile<Schema> {
  const path = resolve(file)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read'
    return { path, data: undefined, problems: [`${variable}: ${path} ${reason}`] }
  }
  const { data, error } = schema.safeParse(json)
  const issues = error?.issues ?? []
  return { path, data, problems: issues.map((issue) => `${variable}: ${describePlace(issue)}`) }
}

/** The place and the message of an issue in the operator's settings, without the value. */
export const describePlace = (issue: z.core.$ZodIssue): string =>
  `${issue.path.join('.') || 'file'}: ${issue.message}`

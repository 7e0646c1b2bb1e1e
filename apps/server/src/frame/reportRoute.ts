import { Hono } from 'hono'
import * as z from 'zod'
import { parseBody } from '../http/request/parse.ts'
import type { Services } from '../services.ts'

/** The URL where browsers report violations of the frame's policy. */
export const reportPath = '/csp'

const directive = z.string().regex(/^[a-z-]{1,40}$/)
const report = z.object({
  'csp-report': z.object({
    'effective-directive': directive.optional(),
    'violated-directive': z.string().max(200).optional(),
    'blocked-uri': z.string().max(2_000).optional(),
  }),
})

/**
 * `POST /csp`: logs one line for each report, with directive names that we know and the blocked
 * origin, never a path.
 */
export function reportRoute({ log }: Pick<Services, 'log'>): Hono {
  return new Hono().post(reportPath, async (c) => {
    const { 'csp-report': cspReport } = await parseBody(c, report, 400)
    const name = cspReport['effective-directive'] ?? cspReport['violated-directive']?.split(' ')[0]
    const blocked = cspReport['blocked-uri'] ?? ''
    log.warn(
      {
        directive: directive.safeParse(name).data ?? 'unknown',
        blocked: URL.canParse(blocked) ? new URL(blocked).origin : keyword(blocked),
      },
      'the frame blocked something',
    )
    return c.body(null, 204)
  })
}

const keywords = [
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
]
const keyword = (text: string) => (keywords.includes(text) ? text : 'other')

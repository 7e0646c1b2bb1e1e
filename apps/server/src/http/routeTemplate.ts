import type { Context, Hono } from 'hono'
import { matchedRoutes } from 'hono/route'

/**
 * The template of the route that answers, for example `/v1/account/:address/balance`, or undefined
 * if no route matches.
 */
export const routeTemplate = (c: Context): string | undefined =>
  matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path

/** The methods that a path supports, for 405. Empty if the path does not exist. */
export function allowedMethods(app: Pick<Hono, 'routes'>, path: string): string[] {
  const methods = app.routes
    .filter(({ method, path: template }) => method !== 'ALL' && matches(template, path))
    .map(({ method }) => method)
  return [...new Set(methods)].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

function matches(template: string, path: string): boolean {
  const templateParts = template.split('/')
  const pathParts = path.split('/')
  if (templateParts.length !== pathParts.length) return false
  return templateParts.every((part, index) =>
    part.startsWith(':') ? pathParts[index] !== '' : part === pathParts[index],
  )
}

import type { HttpBindings } from '@hono/node-server'
import { describeSignedRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addOpenRoute } from '../auth/mount.ts'
import type { Descriptions } from './openDescriptions.ts'

/** `POST /api/description`: the description of a function or typed data in the operator's files. */
export function descriptionRoutes(
  auth: Auth,
  descriptions: Descriptions,
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  addOpenRoute(app, auth, {
    route: describeSignedRoute,
    work: async ({ body }) => ({ description: (await descriptions.find(body)) ?? null }),
  })
  return app
}

import type { Role } from './role.ts'
import { rpcUpgrade } from './rpc/socketRoute.ts'
import { createUpstreams } from './rpc/upstreams.ts'
import { createServer } from './server.ts'
import type { Services } from './services.ts'

/** Web app, API and chain RPC, with the database open. */
export const openWholeRole = (db: Services['db'], close: Role['close']): Role => ({
  db,
  close,
  serve(base) {
    const services = { ...base, db }
    const upstreams = createUpstreams(services)
    const app = createServer(services, upstreams)
    const rpc = rpcUpgrade(services, upstreams)
    return {
      fetch: (request, env) => app.fetch(request, env),
      routes: { '/v1': rpc, '/v1/': rpc, '/ws': rpc },
    }
  },
})

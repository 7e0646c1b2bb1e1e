import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chains } from '@latchkey/dev'
import type { TestProject } from 'vitest/node'

/**
 * Local chains for the tests that need them (a global setup of Vitest): a request to
 * `inject('chainsUrl')` returns their nodes and contracts. They start at the first request.
 */
export default async function shareChains({ provide }: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Chains> | undefined
  const listener = createServer(async (_request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    try {
      starting ??= import('@latchkey/dev').then(({ startChains }) => startChains())
      const { urls, addresses } = await starting
      response.end(JSON.stringify({ urls, addresses }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  provide('chainsUrl', `http://127.0.0.1:${(listener.address() as AddressInfo).port}`)
  return async () => {
    listener.close()
    const chains = await starting?.catch(() => undefined)
    await chains?.stop()
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    chainsUrl: string
  }
}

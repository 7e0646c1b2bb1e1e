import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSiwxMessage } from '@latchkey/wire/siwx'
import type { Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { stack } from './fixtures.ts'

/**
 * Opens a page on another origin that may call the web app's server. By default the origin is
 * same-site with the web app.
 */
export async function openOtherOrigin(page: Page, hostname = new URL(stack.urls.web).hostname) {
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><link rel="icon" href="data:,">')
  }).listen(0, hostname)
  await once(pages, 'listening')
  const origin = `http://${hostname}:${(pages.address() as AddressInfo).port}`
  await page.goto(origin)
  const ask = (path: string, init: RequestInit = {}) =>
    page.evaluate(
      async ([url, given]) => {
        const response = await fetch(url, given)
        return { status: response.status, body: await response.json() }
      },
      [new URL(`${path}?projectId=local`, stack.urls.web).href, init] as const,
    )
  const account = privateKeyToAccount(generatePrivateKey())
  const sign = async (nonce: string) => {
    const message = createSiwxMessage({
      domain: new URL(origin).host,
      accountAddress: account.address,
      chainId: 'eip155:31337',
      uri: origin,
      version: '1',
      nonce,
      issuedAt: new Date().toISOString(),
    })
    return { message, signature: await account.signMessage({ message }) }
  }
  return { ask, sign, account, origin, close: () => pages.close() }
}

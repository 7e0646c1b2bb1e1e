// Built into `/sw.js` by vite.config.ts, which puts these two values in front. Imports nothing.

/** The paths of the files of this build that have a hash in their name. */
declare const builtFiles: readonly string[]
/** The script that the page of this build loads first. */
declare const entryFile: string

type LastingEvent = Event & { waitUntil(work: Promise<unknown>): void }
type RequestEvent = LastingEvent & {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
type PressEvent = LastingEvent & { readonly notification: Notification }
type OpenPage = { focus(): Promise<unknown>; postMessage(path: string): void }
type WorkerScope = {
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<readonly OpenPage[]>
    openWindow(path: string): Promise<unknown>
  }
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: PressEvent) => void): void
}

const worker = self as unknown as WorkerScope
const prefix = 'latchkey-build-'
/** The entry has a hash of everything that it imports. */
const cacheName = prefix + entryFile
const configCache = 'latchkey-config'
const configPath = '/config.json'

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(String(event.notification.data)))
})

// Nothing else is answered here: no response of the API is ever stored.
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (builtFiles.includes(pathname)) event.respondWith(readBuilt(request))
  else if (request.mode === 'navigate') event.respondWith(loadPage(request))
  else if (pathname === configPath) event.respondWith(loadConfig(request))
})

/** Throws if the server already has another build; the browser then tries again later. */
async function install() {
  const cache = await caches.open(cacheName)
  const page = await fetch('/', { cache: 'no-cache' })
  if (!page.ok || !(await page.clone().text()).includes(entryFile))
    throw new Error('The server has another build')
  await cache.addAll([...builtFiles])
  await cache.put('/', page)
  // The page that registers the worker has already loaded it.
  await loadConfig(new Request(configPath))
}

/** Runs after the last page of the build before has closed. */
async function activate() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** The content of a file never changes, because its name has a hash of it. */
async function readBuilt(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  return (await cache.match(request.url, { ignoreVary: true })) ?? fetch(request)
}

/** The page comes from the server, so that a new build takes effect at the next load. */
async function loadPage(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (cause) {
    const cache = await caches.open(cacheName)
    const page = await cache.match('/', { ignoreVary: true })
    if (page) return page
    throw cause
  }
}

/** A page cannot start without its configuration, which has no data of an account. */
async function loadConfig(request: Request): Promise<Response> {
  const cache = await caches.open(configCache)
  try {
    const response = await fetch(request)
    // A captive portal responds with its login page.
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (response.ok && isJson) await cache.put(configPath, response.clone())
    return response
  } catch (cause) {
    const config = await cache.match(configPath, { ignoreVary: true })
    if (config) return config
    throw cause
  }
}

/** An open page goes there by itself, because a load would lose what the user does in it. */
async function openPage(path: string) {
  const [page] = await worker.clients.matchAll({ type: 'window' })
  if (!page) return worker.clients.openWindow(path)
  page.postMessage(path)
  await page.focus()
}

export {}

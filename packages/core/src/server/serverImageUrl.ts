import type { App } from '../createApp.ts'

/** An image's URL if it is one of our server's; a picture of anybody else would tell him who looks. */
export function serverImageUrl(app: App, url: string | null): string | undefined {
  if (!url || !URL.canParse(url, app.config.apiUrl)) return undefined
  const image = new URL(url, app.config.apiUrl)
  return image.origin === new URL(app.config.apiUrl).origin ? image.href : undefined
}

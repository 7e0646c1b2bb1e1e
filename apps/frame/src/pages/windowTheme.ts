import * as z from 'zod/mini'

const themeQuery = z.object({
  theme: z.enum(['dark', 'light', 'system']),
  dir: z.enum(['ltr', 'rtl']),
})

/**
 * Returns the host page's theme for our window's URL: two keywords, never colors or text from a
 * page.
 */
export function getThemeQuery({ documentElement: { dataset, dir } }: Document): string {
  return `?${new URLSearchParams({ theme: dataset.lkTheme ?? 'system', dir: dir || 'ltr' })}`
}

/**
 * Applies the theme to the window's page. Anyone can write a URL, so anything but the two exact
 * values is ignored.
 */
export function applyThemeQuery({ documentElement: root, location }: Document): void {
  const parsed = z.safeParse(themeQuery, Object.fromEntries(new URLSearchParams(location.search)))
  if (!parsed.success) return
  root.dataset.lkTheme = parsed.data.theme
  root.dir = parsed.data.dir
}

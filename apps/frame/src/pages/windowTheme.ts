import * as z from 'zod/mini'

const themeQuery = z.object({
  theme: z.enum(['dark', 'light', 'system']),
  dir: z.enum(['ltr', 'rtl']),
})

/** What a window of ours is told of how the page around the frame looks: two words, never colours or text of a page. */
export function getThemeQuery({ documentElement: { dataset, dir } }: Document): string {
  return `?${new URLSearchParams({ theme: dataset.lkTheme ?? 'system', dir: dir || 'ltr' })}`
}

/** Puts it on the window's own page. Anybody may write an address: what is not exactly that is passed over. */
export function applyThemeQuery({ documentElement: root, location }: Document): void {
  const parsed = z.safeParse(themeQuery, Object.fromEntries(new URLSearchParams(location.search)))
  if (!parsed.success) return
  root.dataset.lkTheme = parsed.data.theme
  root.dir = parsed.data.dir
}

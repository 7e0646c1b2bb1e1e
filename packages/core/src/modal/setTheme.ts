import type { App } from '../app.ts'
import type { ThemeMode } from '../state.ts'

/** Changes the theme's mode, some of its variables, or both. */
export function setTheme(
  app: App,
  parameters: { mode?: ThemeMode; variables?: Readonly<Record<`--lk-${string}`, string>> },
): void {
  const { mode, variables } = parameters
  app.store.setState(({ theme }) => ({
    theme: { mode: mode ?? theme.mode, variables: { ...theme.variables, ...variables } },
  }))
}

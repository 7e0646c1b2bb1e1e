// Runs before the page is drawn, so that a theme that the user chose does not come late.
try {
  const { value } = JSON.parse(localStorage.getItem('latchkey.themeMode'))
  if (value === 'dark' || value === 'light') document.documentElement.dataset.lkTheme = value
} catch {
  // Nothing is stored: the theme of the system stays.
}

import type { NextConfig } from 'next'

// As create-next-app sets them.
const nextConfig: NextConfig = { cacheComponents: true, partialPrefetching: true }

export default nextConfig

declare module '*.toml' {
  const sentences: Record<string, string>;
  export default sentences;
}

declare module '*.toml' {
  const sentences: Record<string, string>;
  export default sentences;
}

declare module '*.json?everybody' {
  const words: unknown;
  export default words;
}

declare module '*.json?staff' {
  const words: unknown;
  export default words;
}

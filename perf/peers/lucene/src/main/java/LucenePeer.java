import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.FSDirectory;

/**
 * Lucene, as perf/peers/run.ts compares it: indexes titles and answers queries on one thread, each timed from its text to
 * its answer.
 *
 * <p>{@code index DOCUMENTS FOLDER} reads lines of id, title and JSON with tabs between, merges all segments into one, and prints
 * how many they were and how many seconds that took, with a tab between.
 * {@code ask FOLDER QUERIES} reads texts, one a line; for each line "mode shape first end" on standard input it asks the
 * texts [first, end) and prints a line "count nanoseconds" for each. Titles and texts are tokens with blanks between.
 */
final class LucenePeer {
  private static final int HITS = 10;

  /** A search in two steps corrects only when the first finds fewer. */
  private static final int ENOUGH = 10;

  /** Code points from which one edit is allowed, and two. */
  private static final int ONE_EDIT_LENGTH = 4;

  private static final int TWO_EDITS_LENGTH = 8;

  private final IndexSearcher searcher;

  /** Characters of documents read, so that nothing of the work can be left out. */
  private long charsRead;

  private LucenePeer(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  private static void index(Path documents, Path folder) throws IOException {
    try (var directory = FSDirectory.open(folder)) {
      try (var writer = new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()));
          var lines = Files.newBufferedReader(documents)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] parts = line.split("\t", 3);
          var document = new Document();
          document.add(new StringField("id", parts[0], Field.Store.NO));
          document.add(new TextField("title", parts[1], Field.Store.NO));
          document.add(new StoredField("json", parts[2]));
          writer.addDocument(document);
        }
      }
      int segments;
      try (var reader = DirectoryReader.open(directory)) {
        segments = reader.leaves().size();
      }
      long start = System.nanoTime();
      try (var writer = new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        writer.forceMerge(1);
      }
      System.out.println(segments + "\t" + (System.nanoTime() - start) / 1e9);
    }
  }

  private static int editsOf(String token) {
    int length = token.codePointCount(0, token.length());
    if (length < ONE_EDIT_LENGTH || token.chars().allMatch(letter -> letter >= '0' && letter <= '9')) return 0;
    return length < TWO_EDITS_LENGTH ? 1 : 2;
  }

  private static Term term(String token) {
    return new Term("title", token);
  }

  private static Query boolOf(String[] tokens, Occur occur) {
    var query = new BooleanQuery.Builder();
    for (String token : tokens) query.add(new TermQuery(term(token)), occur);
    return query.build();
  }

  /** All tokens as typed, the last one completed as well; with {@code corrects}, all corrected as well. */
  private static Query lenient(String[] tokens, boolean corrects) {
    var query = new BooleanQuery.Builder();
    for (int at = 0; at < tokens.length; at++) {
      Term term = term(tokens[at]);
      int edits = corrects ? editsOf(tokens[at]) : 0;
      var alternatives = new BooleanQuery.Builder().add(new TermQuery(term), Occur.SHOULD);
      if (at == tokens.length - 1) alternatives.add(new PrefixQuery(term), Occur.SHOULD);
      if (edits > 0) alternatives.add(new FuzzyQuery(term, edits), Occur.SHOULD);
      query.add(alternatives.build(), Occur.MUST);
    }
    return query.build();
  }

  private static Query compose(String shape, String text) {
    String[] tokens = text.split(" ");
    if (shape.equals("corrected")) return lenient(tokens, true);
    if (shape.equals("completed")) return lenient(tokens, false);
    if (tokens.length == 1) return new TermQuery(term(text));
    return switch (shape) {
      case "all" -> boolOf(tokens, Occur.MUST);
      case "any" -> boolOf(tokens, Occur.SHOULD);
      case "phrase" -> new PhraseQuery("title", tokens);
      default -> throw new IllegalArgumentException("no such shape: " + shape);
    };
  }

  private TopDocs top(Query query, int countedMax) throws IOException {
    return searcher.search(query, new TopScoreDocCollectorManager(HITS, countedMax));
  }

  private void fetch(TopDocs hits) throws IOException {
    var stored = searcher.storedFields();
    for (var hit : hits.scoreDocs) charsRead += stored.document(hit.doc).get("json").length();
  }

  private int run(String mode, Query query) throws IOException {
    if (mode.equals("count")) return searcher.count(query);
    if (mode.equals("top")) return top(query, HITS).scoreDocs.length;
    if (mode.startsWith("top, ")) {
      TopDocs hits = top(query, HITS);
      int count = searcher.count(query);
      if (mode.equals("top, count+documents")) fetch(hits);
      else if (!mode.equals("top, count")) throw new IllegalArgumentException("no such mode: " + mode);
      return count;
    }
    TopDocs hits = top(query, Integer.MAX_VALUE);
    if (mode.equals("top+count+documents")) fetch(hits);
    else if (!mode.equals("top+count")) throw new IllegalArgumentException("no such mode: " + mode);
    return Math.toIntExact(hits.totalHits.value());
  }

  private int answer(String mode, String shape, String text) throws IOException {
    if (!shape.equals("in two steps")) return run(mode, compose(shape, text));
    int count = run(mode, compose("completed", text));
    return count >= ENOUGH ? count : run(mode, compose("corrected", text));
  }

  private static void ask(Path folder, Path queries) throws IOException {
    List<String> texts = Files.readAllLines(queries);
    try (var reader = DirectoryReader.open(FSDirectory.open(folder))) {
      var searcher = new IndexSearcher(reader);
      // What is asked again is to be searched again.
      searcher.setQueryCache(null);
      var peer = new LucenePeer(searcher);
      var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      var out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] order = line.split("\t");
        for (String text : texts.subList(Integer.parseInt(order[2]), Integer.parseInt(order[3]))) {
          long start = System.nanoTime();
          int count = peer.answer(order[0], order[1], text);
          out.println(count + "\t" + (System.nanoTime() - start));
        }
        out.flush();
      }
      System.err.println("read " + peer.charsRead + " characters of documents");
    }
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) throw new IllegalArgumentException("index DOCUMENTS FOLDER, or ask FOLDER QUERIES");
    Path first = Path.of(arguments[1]);
    Path second = Path.of(arguments[2]);
    if (arguments[0].equals("index")) index(first, second);
    else ask(first, second);
  }
}

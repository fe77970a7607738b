package dev.larder.server;

import dev.larder.resp.ProtocolException;
import dev.larder.server.config.Directives;
import dev.larder.server.config.Parameter;
import dev.larder.server.config.Parameter.Effect;
import dev.larder.server.config.Parameters;
import dev.larder.server.config.SettingException;
import dev.larder.server.config.Settings;
import dev.larder.server.transport.Encryption;
import dev.larder.server.transport.TlsIdentity;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parameters of a server, by the names that {@code redis.conf} gives them. A later source replaces an earlier one: the
 * defaults, a file, environment variables, flags.
 *
 * {@snippet :
 * Configuration configuration = Configuration.read(Path.of("larder.conf"))
 *         .withEnvironment(System.getenv())
 *         .with("port", "7000");
 * try (LarderServer server = LarderServer.start(configuration)) {
 *     server.awaitStop();
 * }
 * }
 */
public final class Configuration {

    /** The prefix of environment variables: {@code LARDER_SERVE_MAXCLIENTS}. */
    public static final String ENVIRONMENT_PREFIX = "LARDER_SERVE_";

    private final Settings settings;
    private final List<List<String>> users;
    private final Optional<Path> file;

    private Configuration(Settings settings, List<List<String>> users, Optional<Path> file) {
        this.settings = settings;
        this.users = users;
        this.file = file;
    }

    /**
     * A parameter, for documentation and help.
     *
     * @param name its name
     * @param standard its default value
     * @param hasEffect whether this server uses it
     * @param changes whether {@code CONFIG SET} may change it
     */
    public record Description(String name, String standard, boolean hasEffect, boolean changes) {}

    /** Returns all parameters. */
    public static List<Description> parameters() {
        return Parameters.list().stream().map(Configuration::description).toList();
    }

    private static Description description(Parameter parameter) {
        return new Description(
                parameter.name(),
                parameter.standard(),
                parameter.effect() != Effect.NONE,
                parameter.change() == Parameter.Change.ANY_TIME);
    }

    /** Returns the default values of a server. */
    public static Configuration defaults() {
        return new Configuration(new Settings(), List.of(), Optional.empty());
    }

    /**
     * Reads a file in the syntax of {@code redis.conf}.
     *
     * @throws IllegalArgumentException if a line is wrong; the message names the file, the line and the reason
     * @throws dev.larder.memory.StorageException if the file cannot be read
     */
    public static Configuration read(Path file) {
        Settings settings = new Settings();
        try {
            List<List<String>> users = Directives.apply(Directives.read(file), settings);
            return new Configuration(settings, users, Optional.of(file));
        } catch (SettingException e) {
            throw new IllegalArgumentException(e.reason(), e);
        }
    }

    /** Returns a configuration from a file, if one is given, then from the environment, then from flags in their order. */
    public static Configuration of(
            Optional<Path> file, Map<String, String> environment, List<Map.Entry<String, String>> flags) {
        Configuration all = file.map(Configuration::read).orElseGet(Configuration::defaults);
        all = all.withEnvironment(environment);
        for (Map.Entry<String, String> flag : flags) {
            all = all.with(flag.getKey(), flag.getValue());
        }
        return all;
    }

    /**
     * Returns a copy with another value.
     *
     * @throws IllegalArgumentException if there is no such parameter, or the value does not fit
     */
    public Configuration with(String name, String value) {
        return with(name, name, value);
    }

    private Configuration with(String shown, String name, String value) {
        Settings changed = settings.copy();
        try {
            changed.start(name, value);
        } catch (SettingException e) {
            String reason = Parameters.find(name) == null ? "there is no such parameter" : e.reason();
            throw new IllegalArgumentException(shown + " " + value + ": " + reason, e);
        }
        return new Configuration(changed, users, file);
    }

    /**
     * Returns a copy with the values of the variables that begin with {@link #ENVIRONMENT_PREFIX}. The rest of such a name is
     * a parameter's, in capitals, with {@code _} for {@code -}.
     *
     * @throws IllegalArgumentException if there is no such parameter, or the value does not fit
     */
    public Configuration withEnvironment(Map<String, String> environment) {
        Configuration changed = this;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.startsWith(ENVIRONMENT_PREFIX)) {
                String parameter = name.substring(ENVIRONMENT_PREFIX.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
                changed = changed.with(name, parameter, variable.getValue());
            }
        }
        return changed;
    }

    /**
     * Returns a copy with one more user.
     *
     * @param line the text behind {@code user} in a file: the name, then the rules
     * @throws IllegalArgumentException if the line has no words, or there is a user of that name
     */
    public Configuration withUser(String line) {
        List<String> words;
        try {
            words = Directives.words(line);
        } catch (ProtocolException e) {
            throw new IllegalArgumentException("user " + line + ": Unbalanced quotes", e);
        } catch (SettingException e) {
            throw new IllegalArgumentException("user " + line + ": " + e.reason(), e);
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException("user: a name is missing");
        }
        String name = words.getFirst();
        if (users.stream()
                .anyMatch(other -> !other.isEmpty() && other.getFirst().equals(name))) {
            throw new IllegalArgumentException("user " + name + ": Duplicate user found");
        }
        List<List<String>> more = new ArrayList<>(users);
        more.add(words);
        return new Configuration(settings, List.copyOf(more), file);
    }

    /** Returns the value of a parameter. */
    public String value(String name) {
        return settings.text(name);
    }

    /** Returns a line for each parameter that was changed and that this server keeps without using it. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (Parameter parameter : Parameters.list()) {
            if (parameter.effect() == Effect.NONE && settings.isChanged(parameter)) {
                notes.add(parameter.name() + " " + settings.text(parameter.name())
                        + ": has no effect in Larder, which keeps the value");
            }
        }
        return notes;
    }

    /** Returns the file that was read. */
    public Optional<Path> file() {
        return file;
    }

    Settings settings() {
        return settings;
    }

    List<List<String>> users() {
        return users;
    }

    /**
     * Returns the options that follow from the values.
     *
     * @throws IllegalArgumentException if values do not fit each other, an address is unknown, or a file of TLS has the
     *     wrong content
     */
    public ServerOptions options() {
        var _ = encryption();
        ServerOptions options = ServerOptions.of(Path.of(settings.text("dir")))
                .withAddresses(bound().map(Bound::address).toList())
                .withPort((int) settings.whole("port"))
                .withDatabases((int) settings.whole("databases"))
                .withDurability(durability(settings))
                .withSegmentBytes(settings.whole("segment-size"))
                .withLoops((int) settings.whole("io-threads"))
                .withTransport(settings.text("transport"))
                .withLimits(settings.requestLimits());
        long most = settings.whole("max-file-size");
        boolean evicts = settings.truth("max-file-eviction");
        return most == 0 ? options : options.withMaxFileBytes(most, evicts);
    }

    /** Reads the files of TLS, and returns the encryption that follows from them; empty if there is no port for TLS. */
    Optional<Encryption> encryption() {
        if (settings.whole("tls-port") == 0) {
            return Optional.empty();
        }
        TlsIdentity identity =
                TlsIdentity.read(requiredFile("tls-cert-file"), requiredFile("tls-key-file"), file("tls-ca-cert-file"));
        String clients = settings.text("tls-auth-clients");
        if (!clients.equals("no")
                && identity.authorities().isEmpty()) { // the JDK's authorities sign anybody's certificate
            throw new IllegalArgumentException("tls-auth-clients " + clients
                    + ": TLS needs a tls-ca-cert-file with the authorities of the clients' certificates, and none is"
                    + " given; no asks for no certificate");
        }
        return Optional.of(Encryption.of(identity, clients));
    }

    private TlsIdentity.Source requiredFile(String name) {
        return file(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "tls-port " + settings.text("tls-port") + ": TLS needs a " + name + ", and none is given"));
    }

    private Optional<TlsIdentity.Source> file(String name) {
        String path = settings.text(name);
        return path.isEmpty() ? Optional.empty() : Optional.of(new TlsIdentity.Source(name, Path.of(path)));
    }

    static Durability durability(Settings settings) {
        if (!settings.truth("appendonly")) {
            return Durability.none();
        }
        return switch (settings.text("appendfsync")) {
            case "always" -> Durability.ofEveryWrite();
            case "no" -> Durability.none();
            default -> new Durability(false, Duration.ofMillis(settings.whole("sync-interval-millis")));
        };
    }

    /** An address to listen on, and whether this machine need not have it. */
    private record Bound(InetAddress address, boolean isOptional) {}

    /** Returns the addresses of {@link ServerOptions#addresses} that this machine need not have. */
    Set<InetAddress> optionalAddresses() {
        return bound().filter(Bound::isOptional).map(Bound::address).collect(Collectors.toSet());
    }

    private Stream<Bound> bound() {
        List<Bound> addresses = new ArrayList<>();
        for (String word : settings.words("bind")) {
            boolean optional = word.startsWith("-");
            try {
                InetAddress address = InetAddress.getByName(wildcard(optional ? word.substring(1) : word));
                addresses.add(new Bound(address, optional));
            } catch (UnknownHostException e) {
                if (!optional) {
                    throw new IllegalArgumentException("bind " + word + ": not an address of this machine", e);
                }
            }
        }
        return addresses.stream();
    }

    private static String wildcard(String address) {
        return switch (address) {
            case "*" -> "0.0.0.0";
            case "::*" -> "::";
            default -> address;
        };
    }

    /** Returns the configuration that is equivalent to some options. */
    static Configuration of(ServerOptions options) {
        Settings settings = new Settings();
        settings.start("dir", options.directory().toString());
        settings.start(
                "bind",
                String.join(
                        " ",
                        options.addresses().stream()
                                .map(InetAddress::getHostAddress)
                                .toList()));
        settings.start("port", Integer.toString(options.port()));
        settings.start("databases", Integer.toString(options.databases()));
        Durability durability = options.durability();
        boolean never = !durability.always() && durability.interval().equals(Duration.ZERO);
        settings.start("appendfsync", durability.always() ? "always" : never ? "no" : "everysec");
        if (!durability.always() && !never) {
            settings.start(
                    "sync-interval-millis",
                    Long.toString(Math.max(1, durability.interval().toMillis())));
        }
        settings.start("segment-size", Long.toString(options.segmentBytes()));
        settings.start("io-threads", Integer.toString(options.loops()));
        settings.start("transport", options.transport());
        settings.start("proto-max-bulk-len", Integer.toString(options.limits().bulkMaxBytes()));
        if (options.maxFileBytes().isPresent()) {
            settings.start("max-file-size", Long.toString(options.maxFileBytes().getAsLong()));
            settings.start("max-file-eviction", options.evicts() ? "yes" : "no");
        }
        return new Configuration(settings, List.of(), Optional.empty());
    }
}

/** A program that uses Larder as a module. */
module consumer {
    requires dev.larder.queue;
}
